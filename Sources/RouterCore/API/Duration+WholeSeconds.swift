extension Duration {
  /// Whole seconds for headers such as `Retry-After`, rounded up.
  package var wholeSeconds: Int64 {
    max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }
}
