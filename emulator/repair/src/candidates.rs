//! What may help against a finding, smallest first.
