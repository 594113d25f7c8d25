"""Jobs: plain compositions of stages."""
