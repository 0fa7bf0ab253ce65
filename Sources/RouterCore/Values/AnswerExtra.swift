/// What a person adds to an answer or a dismissal.
package struct AnswerExtra: Sendable, Hashable {
  package static let maximumCommentBytes = TextRule.comment.maximumBytes

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

  /// Creates additions. An empty comment is none.
  package init(isSuppressed: Bool = false, comment: String? = nil) {
    (self.isSuppressed, self.comment) = (isSuppressed, comment == "" ? nil : comment)
  }

  package func addMembers(to writer: inout JSONWriter) {
    if isSuppressed { writer.add("isSuppressed", true) }
    writer.add("comment", ifPresent: comment)
    writer.add("remember", ifPresent: remember)
  }

  package init(_ reader: inout JSONObjectReader) throws(JSONError) {
    self.init(isSuppressed: try reader.bool("isSuppressed") ?? false, comment: try reader.string("comment"))
    remember = try reader.object("remember", GrantChoice.init)
  }

  /// Checks the comment's length and characters.
  package func checkText() throws(JSONError) {
    if let comment { try TextRule.comment.check(comment, at: "/comment") }
  }
}
