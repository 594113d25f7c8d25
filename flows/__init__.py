"""What runs, in order: the command, the flows, and the one composition of the stages."""
