-- A delivery that is sent again begins with 0 attempts. The log still says how often it was sent before, and why that failed last.
alter table webhook_deliveries
  -- the attempts before the last replay
  add column earlier_attempts int not null default 0,
  -- the problem of the last of these attempts that failed
  add column earlier_problem text;
