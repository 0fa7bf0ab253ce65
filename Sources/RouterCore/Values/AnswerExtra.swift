package import OrderedCollections

/// What a person adds to an answer or a dismissal.
package struct AnswerExtra: Sendable, Hashable {
  package static let maximumCommentBytes = TextRule.comment.maximumBytes
  /// The maximum number of presentations that are answered together with one.
  package static let maximumAlso = 50

  /// Whether the suppression toggle is on.
  package var isSuppressed: Bool
  /// The reason, for the requester.
  package var comment: String?
  /// What to remember of the answer. Not part of the outcome: the event `granted` records it.
  package var remember: GrantChoice? {
    get { sharedRemember?.value }
    set { sharedRemember = newValue.map(Shared.init) }
  }
  private var sharedRemember: Shared<GrantChoice>?
  /// The presentations that get the same answer, each with the digest of the act that the person saw. Not part of the outcome: each
  /// has its own.
  package var also: OrderedDictionary<PresentationID, String> {
    get { sharedAlso?.value ?? [:] }
    set { sharedAlso = newValue.isEmpty ? nil : Shared(newValue) }
  }
  private var sharedAlso: Shared<OrderedDictionary<PresentationID, String>>?

  /// Creates additions. An empty comment is none; lines of a comment end with LF.
  package init(isSuppressed: Bool = false, comment: String? = nil) {
    (self.isSuppressed, self.comment) = (isSuppressed, comment == "" ? nil : comment?.withUnixLineEnds)
  }

  package func addMembers(to writer: inout JSONWriter) {
    if isSuppressed { writer.add("isSuppressed", true) }
    writer.add("comment", ifPresent: comment)
    writer.add("remember", ifPresent: remember)
    if !also.isEmpty {
      writer.add("also", OrderedDictionary(uniqueKeysWithValues: also.map { ($0.description, $1) }))
    }
  }

  package init(_ reader: inout JSONObjectReader) throws(JSONError) {
    self.init(isSuppressed: try reader.bool("isSuppressed") ?? false, comment: try reader.string("comment"))
    remember = try reader.object("remember", GrantChoice.init)
    for (text, digest) in try reader.texts("also") ?? [:] {
      guard let id = PresentationID(text) else { throw reader.error("must have the ids of presentations", at: "also") }
      also[id] = digest
    }
    guard also.count <= Self.maximumAlso else { throw reader.error("must be at most \(Self.maximumAlso)", at: "also") }
    if !also.isEmpty, remember != nil { throw reader.error("cannot be given together with remember", at: "also") }
  }

  /// Checks the comment's length and characters.
  package func checkText() throws(JSONError) {
    if let comment { try TextRule.comment.check(comment, at: "/comment") }
  }
}
