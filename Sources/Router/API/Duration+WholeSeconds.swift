extension Duration {
  /// Seconds as headers have them, rounded up: who waits a little is not told at once, and who is to wait waits enough.
  package var wholeSeconds: Int64 {
    max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }
}
