"""What several runs say together, and how far a simulation is from a measurement."""
