package import OrderedCollections

/// A person's additions to an answer or a dismissal.
package struct AnswerExtra: Sendable, Hashable {
  package static let maximumCommentBytes = TextRule.comment.maximumBytes
  /// The maximum number of presentations that one answer may include besides its own.
  package static let maximumAlso = 50

  /// Whether an earlier version recorded that the person turned on the request's toggle. Written back unchanged.
  package var isSuppressed = false
  /// The reason, for the requester.
  package var comment: String?
  /// The person's choice to remember the answer. Not part of the outcome: the event `granted` records it.
  package var remember: GrantChoice? {
    get { sharedRemember?.value }
    set { sharedRemember = newValue.map(Shared.init) }
  }
  private var sharedRemember: Shared<GrantChoice>?
  /// Further presentations with the same answer, each with the digest of the act that the person saw. Not part of the outcome:
  /// each presentation has its own.
  package var also: OrderedDictionary<PresentationID, String> {
    get { sharedAlso?.value ?? [:] }
    set { sharedAlso = newValue.isEmpty ? nil : Shared(newValue) }
  }
  private var sharedAlso: Shared<OrderedDictionary<PresentationID, String>>?

  /// Creates additions. An empty comment becomes `nil`; lines of a comment end with LF.
  package init(comment: String? = nil) { self.comment = comment == "" ? nil : comment?.withUnixLineEnds }

  /// Checks the comment's length and characters.
  package func checkText() throws(JSONError) {
    if let comment { try TextRule.comment.check(comment, at: "/comment") }
  }
}

extension AnswerExtra: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    self.init(comment: try f("comment", \.comment, "", .schema("Comment")))
    remember = try f("remember", \.remember)
    also = try f(
      "also", default: Digests(), { Digests(of: $0.also) },
      "Other open presentations to give the same answer, with the actDigest that the person saw. Not together with remember."
    ).of
    let (also, remember) = (also, remember)
    try f.check(also.count <= Self.maximumAlso, "must be at most \(Self.maximumAlso)", at: "also")
    try f.check(also.isEmpty || remember == nil, "cannot be given together with remember", at: "also")
  }

  /// Digests of acts by presentation.
  private struct Digests: JSONPart, Equatable {
    static var schema: JSONValue {
      [
        "type": "object", "maxProperties": .number(.init(AnswerExtra.maximumAlso)), "propertyNames": PresentationID.schema,
        "additionalProperties": String.schema,
      ]
    }

    var of: OrderedDictionary<PresentationID, String> = [:]

    init(of digests: OrderedDictionary<PresentationID, String> = [:]) { of = digests }

    init(json: JSONValue, at pointer: String) throws(JSONError) {
      for (text, digest) in try OrderedDictionary<String, String>(json: json, at: pointer) {
        guard let id = PresentationID(text) else { throw JSONError("must have the ids of prompts", at: pointer) }
        of[id] = digest
      }
    }

    func write(to writer: inout JSONWriter) {
      OrderedDictionary(uniqueKeysWithValues: of.map { ($0.description, $1) }).write(to: &writer)
    }
  }
}
