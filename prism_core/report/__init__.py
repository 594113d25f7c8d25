"""The privacy report: Parquet tables without text, and a page for the auditor."""
