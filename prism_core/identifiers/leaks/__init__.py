"""The last look before anything is sent: what a finished text shows, however it is written."""
