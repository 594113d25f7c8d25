"""The stages as Prefect tasks: names and retries, nothing else."""
