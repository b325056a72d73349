//! One flag that a signal sets: the run is to stop. Counts the signals, so that a second one can
//! mean "at once".
