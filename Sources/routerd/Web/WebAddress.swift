import Router

/// The page's listening address: a loopback address and a port, as in `127.0.0.1:8170`, `[::1]:8170` or `localhost:8170`.
struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  enum Host: Sendable, Hashable {
    case v4, v6
  }

  let host: Host
  /// The port; 0 lets the kernel choose one.
  var port: UInt16

  /// Parses the setting.
  ///
  /// - Throws: ``RouterError`` with the reason, worded to follow "cannot use the setting …: ".
  init(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw RouterError(.invalid, "\(text) is not an address and a port, such as 127.0.0.1:8170")
    }
    switch text[..<colon] {
    case "127.0.0.1", "localhost": host = .v4
    case "[::1]": host = .v6
    default:
      // A public page can be attacked, and its traffic is not encrypted.
      throw RouterError(.invalid, "\(text[..<colon]) must be a loopback address: the page is served to local browsers only")
    }
    self.port = port
  }

  var description: String { (host == .v4 ? "127.0.0.1:" : "[::1]:") + String(port) }

  /// The valid values of the `Host` header.
  var authorities: Set<String> {
    let named = ["localhost:\(port)"]
    // Browsers omit the default port of HTTP.
    let bare = port == 80 ? [host == .v4 ? "127.0.0.1" : "[::1]", "localhost"] : []
    return Set([description] + named + bare)
  }
}
