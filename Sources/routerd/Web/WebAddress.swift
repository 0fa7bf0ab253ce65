import Router

/// Where the page is served: a loopback address and a port, as in `127.0.0.1:8170`, `[::1]:8170` or `localhost:8170`.
struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  enum Host: Sendable, Hashable {
    case v4, v6
  }

  let host: Host
  /// 0 lets the kernel choose one.
  var port: UInt16

  /// Reads the setting.
  ///
  /// - Throws: ``RouterError`` that says what is wrong, to stand after "cannot use the setting …: ".
  init(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw RouterError(.invalid, "\(text) is not an address and a port, such as 127.0.0.1:8170")
    }
    switch text[..<colon] {
    case "127.0.0.1", "localhost": host = .v4
    case "[::1]": host = .v6
    default:
      // Whoever can reach the page can try to get in, and what it sends is not encrypted.
      throw RouterError(.invalid, "\(text[..<colon]) must be a loopback address: the page is served to local browsers only")
    }
    self.port = port
  }

  var description: String { (host == .v4 ? "127.0.0.1:" : "[::1]:") + String(port) }

  /// What a browser that means this page may have in `Host`.
  var authorities: Set<String> {
    let named = ["localhost:\(port)"]
    // A browser leaves out the port that HTTP has by itself.
    let bare = port == 80 ? [host == .v4 ? "127.0.0.1" : "[::1]", "localhost"] : []
    return Set([description] + named + bare)
  }
}
