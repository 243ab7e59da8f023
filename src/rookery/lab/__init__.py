"""Studying games: many of them simulated, bots rated against each other, with error bars."""
