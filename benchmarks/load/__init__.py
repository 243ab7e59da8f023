"""The load test of the arcade: client processes that play many games at once, and the servers that they load."""
