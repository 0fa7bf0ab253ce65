extension PresentationRequest {
  /// The address to call when a presentation has ended: a path on a Unix socket, with the socket's percent-encoded absolute
  /// path as the host, as in `http+unix://%2Frun%2Fuser%2F1000%2Fdeploy.sock/dismissed`.
  public struct CallbackAddress: Sendable, Hashable {
    /// The socket's absolute path, at most 107 bytes (unix(7)).
    public let socketPath: String
    /// The request target, with its query: `/dismissed`.
    public let target: String
    /// The address as written.
    public let url: String

    static let scheme = "http+unix://"
    static let maximumLength = 2048

    /// Parses an address.
    ///
    /// - Throws: ``JSONError`` if the address is invalid.
    public init(_ url: String) throws(JSONError) {
      try self.init(url, at: "/onDismiss/url")
    }

    package init(_ url: String, at pointer: String) throws(JSONError) {
      func wrong(_ why: String) -> JSONError { JSONError(why, at: pointer) }
      guard url.utf8.count <= Self.maximumLength else { throw wrong("must have at most \(Self.maximumLength) bytes") }
      guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw wrong("must be a URL of visible ASCII characters")
      }
      guard url.lowercased().begins(with: Self.scheme) else {
        throw wrong("must begin with \(Self.scheme): only Unix sockets are called back")
      }
      let rest = url.utf8.dropFirst(Self.scheme.utf8.count)
      let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      let target = rest.dropFirst(host.count)
      guard let path = host.percentDecoded(), path.first == UInt8(ascii: "/"), !path.contains(0), path.count <= 107,
        let socketPath = String(validating: path, as: UTF8.self)
      else { throw wrong("must have a socket's absolute path, percent-encoded and of at most 107 bytes, as its host") }
      guard !target.contains(UInt8(ascii: "#")), target.isEmpty || target.first == UInt8(ascii: "/") else {
        throw wrong("must have a path after its host, and no fragment")
      }
      self.url = url
      self.socketPath = socketPath
      self.target = target.isEmpty ? "/" : String(Substring(target))
    }
  }
}

extension PresentationRequest.CallbackAddress: CustomStringConvertible {
  public var description: String { url }
}

extension PresentationRequest.CallbackAddress: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    self = try f(
      "url", \.text,
      "http+unix:// with the percent-encoded absolute path of a Unix socket as the host, then a path. The listener must run as the requester's uid."
    ).address
  }

  /// The address as a member.
  private var text: Text { Text(address: self) }

  private struct Text: SampledPart {
    static var schema: JSONValue {
      [
        "type": "string", "maxLength": .integer(PresentationRequest.CallbackAddress.maximumLength),
        "examples": ["http+unix://%2Frun%2Fuser%2F1000%2Fdeploy.sock/dismissed"],
        "pattern": #"^[Hh][Tt][Tt][Pp]\+[Uu][Nn][Ii][Xx]://%2[Ff][!-"$-~]*$"#,
      ]
    }
    static var sample: Self {
      do { return Self(address: try PresentationRequest.CallbackAddress("http+unix://%2Fa")) } catch {
        preconditionFailure("\(error)")
      }
    }

    let address: PresentationRequest.CallbackAddress

    init(address: PresentationRequest.CallbackAddress) { self.address = address }

    init(json: JSONValue, at pointer: String) throws(JSONError) {
      address = try PresentationRequest.CallbackAddress(String(json: json, at: pointer), at: pointer)
    }

    func write(to writer: inout JSONWriter) { writer.add(part: address.url) }
  }
}
