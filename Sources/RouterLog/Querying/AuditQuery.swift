public import RouterCore
import Synchronization

/// A filter for presentations or events of the log. Filters combine with AND; an empty list matches everything.
public struct AuditQuery: Sendable, Hashable {
  /// The sort order.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    case newestFirst, oldestFirst
  }

  /// The earliest time of the request, or of the event; inclusive.
  public var since: Timestamp?
  /// The latest time of the request, or of the event; exclusive.
  public var until: Timestamp?
  public var apps: [String] = []
  public var uids: [UInt32] = []
  public var surfaces: [String] = []
  public var kinds: [PresentationKind] = []
  public var sheets: [String] = []
  public var outcomes: [PresentationOutcome.Name] = []
  /// The reasons of cancelled presentations and the phases of expired ones.
  public var reasons: [String] = []
  /// Kinds of answers.
  package var answers: [AnswerKind] = []
  /// The kind of decision: by a person, a remembered answer or a rule.
  package enum Decider: String, Sendable, Hashable, CaseIterable {
    case person, grant, rule
  }

  package var deciders: [Decider] = []
  /// Whether only approved acts without a reported result match.
  package var isUnreported = false
  package static let knownReasons =
    PresentationOutcome.CancellationReason.allCases.map(\.rawValue) + PresentationOutcome.ExpiryPhase.allCases.map(\.rawValue)
  /// The ids of the presentations.
  public var ids: [PresentationID] = []
  /// Full-text search in the title, the message, the sheet's name, the person's comment and an answered form. All words must
  /// match, in any order and case; `begin*` matches a prefix, `"two words"` a phrase, `*art` a substring.
  public var search: String?
  package var order = Order.newestFirst
  /// The maximum number of rows in a page; at least 1.
  package var limit = 100
  /// The maximum size of a page in bytes of stored text. A page has at least one row, even if it is larger.
  package var maximumBytes = 8 << 20
  /// The last position of the previous page, in the same order: the number of a presentation's request, or of an event.
  package var cursor: Int64?
  /// The last number to include, in the same unit as ``cursor``.
  package var through: Int64?

  public init() {}

  /// Whether the query has filters other than times.
  package var filtersPresentations: Bool {
    search != nil || filters.contains { !$0.values.isEmpty }
  }

  /// The rows of the query, read page by page as they are consumed.
  package func rows<Row: Sendable>(
    readingPage read: @escaping @Sendable (AuditQuery) async throws -> (page: [Row], next: Int64?)
  ) -> AsyncThrowingStream<Row, any Error> {
    let state = Mutex((rows: ArraySlice<Row>(), query: Optional(self)))
    return AsyncThrowingStream {
      while true {
        let (row, query) = state.withLock { ($0.rows.popFirst(), $0.query) }
        guard row == nil, var query else { return row }
        let (page, next) = try await read(query)
        query.cursor = next
        state.withLock { [query] in $0 = (page[...], next == nil ? nil : query) }
      }
    }
  }

  /// Throws a ``RouterError`` with the code `invalid` for an invalid search.
  package func checkSearch() throws(RouterError) {
    if let search { _ = try AuditSearch(search) }
  }
}
