extension Unicode.Scalar {
  /// Whether it is allowed in the name of an app, surface, sheet or button.
  var isNameScalar: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}
