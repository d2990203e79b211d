"""What textbooks and manuals claim of scheduling, as rules on what is measured or simulated."""
