import OrderedCollections

/// An idempotency key: requests with the same key, user and app are the same request (the IETF's
/// draft-ietf-httpapi-idempotency-key-header).
package struct IdempotencyKey: Sendable, Hashable {
  /// The key chosen by the requester: 1 to 255 visible ASCII characters.
  package let text: String
  /// The SHA-256 of the decoded request. Using the key with another request is an error.
  package let requestHash: [UInt8]

  /// Creates a key for a request.
  ///
  /// - Throws: ``RouterError`` with the code `invalid` if the key is empty, too long, or contains other characters.
  package init(_ text: String, of request: PresentationRequest) throws(RouterError) {
    var request = request
    request.normalize()
    try self.init(text, of: request, encodedAs: request.jsonText)
  }

  /// Creates a key for a valid request.
  ///
  /// - Throws: ``RouterError`` with the code `invalid` if the key is empty, too long, or contains other characters.
  package init(_ text: String, of valid: ValidRequest) throws(RouterError) {
    try self.init(text, of: valid.request, encodedAs: valid.text)
  }

  private init(_ text: String, of request: PresentationRequest, encodedAs encoding: JSONText) throws(RouterError) {
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw RouterError(.invalid, "cannot accept the header Idempotency-Key: it takes 1 to 255 visible ASCII characters")
    }
    var sorted = encoding
    // The order of members and labels is not significant.
    if request.payload != nil || request.options.metadata.count > 1 {
      var request = request
      request.payload = request.payload?.withSortedMembers
      request.options.metadata.sort { $0.key < $1.key }
      sorted = request.jsonText
    }
    self.init(text: text, requestHash: Cryptography.sha256(sorted.bytes))
  }

  package init(text: String, requestHash: [UInt8]) {
    self.text = text
    self.requestHash = requestHash
  }

  package struct Scope: Sendable, Hashable {
    package let owner: Owner
    package let app: String
    package let text: String

    package init(owner: Owner, app: String, text: String) { (self.owner, self.app, self.text) = (owner, app, text) }
  }

  package func scope(of requester: Presentation.Requester) -> Scope {
    Scope(owner: requester.process.owner, app: requester.app, text: text)
  }

}

extension JSONValue {
  /// The same value with the members of every object sorted by name, since their order is not significant.
  package var withSortedMembers: JSONValue {
    switch self {
    case .object(let members):
      var sorted = members
      sorted.sort { $0.key < $1.key }
      return .object(sorted.mapValues(\.withSortedMembers))
    case .array(let elements): return .array(elements.map(\.withSortedMembers))
    case .null, .bool, .number, .string: return self
    }
  }
}

extension PresentationOutcome {
  /// Whether the key may be used again: only the requester or the daemon caused the end, and no one was told the outcome.
  package var freesKey: Bool { self == .cancelled(.requesterGone) || self == .cancelled(.interrupted) }
}
