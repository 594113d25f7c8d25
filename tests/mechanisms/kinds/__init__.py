"""A folder of mechanisms like the product's, with one more."""
