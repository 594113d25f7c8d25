"""Review, candidate terms and a server: PRISM for people who translate, and for their CAT tools."""
