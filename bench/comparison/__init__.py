"""What bench/compare is made of: the works, how servers and loads are run, and the table that comes of it."""
