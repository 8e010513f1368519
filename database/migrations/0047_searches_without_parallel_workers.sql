-- Makes a search in texts run in one process: with the cost of 0040 the planner started a second one, which took longer than the search.
alter function app.text_query(text) parallel unsafe;
