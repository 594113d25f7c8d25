"""What a run is told: typed, checked once, immutable."""
