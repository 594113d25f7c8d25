"""Documents through the real job, checked by programs that share no code with it.

    python -m benchmarks.documents FOLDER [--files] [--pages] [--sheet FOLDER] [--keep FOLDER]

Translates FOLDER as a user would, and compares each file with what was written. Rows: how many
documents had which outcome, then how much each check found in how many files (``noticed``: a notice
of the report tells of it), then totals of the run. ``--files`` adds a row for each finding.
``--sheet`` puts pictures of pages before and after, side by side, into a folder to be looked at.
``--keep`` leaves what was written in a folder, and takes it from there when it is there already.
``--pages`` lays office files out with LibreOffice, too.

entry: `__main__`; then `job` (the run and its rows) -> the checks of each type: `pdf`, `office`,
`lines`; the last two fill `seen`, which compares.
"""
