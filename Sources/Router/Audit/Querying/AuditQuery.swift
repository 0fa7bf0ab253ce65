/// Which presentations of the log are wanted, or which events. Filters combine; an empty list filters nothing.
public struct AuditQuery: Sendable, Hashable {
  /// Which end of the log comes first.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case newestFirst, oldestFirst
  }

  /// Asked for at or after; an event: happened at or after.
  public var since: Timestamp?
  /// Asked for before; an event: happened before.
  public var until: Timestamp?
  public var apps: [String] = []
  public var uids: [UInt32] = []
  public var surfaces: [String] = []
  public var kinds: [PresentationKind] = []
  public var sheets: [String] = []
  public var outcomes: [PresentationOutcome.Name] = []
  /// Of cancelled, and the phase of expired.
  public var reasons: [String] = []
  package static let knownReasons = CancellationReason.allCases.map(\.rawValue) + ExpiryPhase.allCases.map(\.rawValue)
  /// Only these presentations.
  public var ids: [PresentationID] = []
  /// Full-text search in the title, the message, the sheet's name and the values of an answered form. All words must match, in
  /// any order and case; `begin*` matches a prefix, `"two words"` a phrase, `*art` any part of the text.
  public var search: String?
  public var order = Order.newestFirst
  /// The most that a page has; at least 1.
  public var limit = 100
  /// The most bytes of stored text that a page has, unless its one row has more.
  public var maximumBytes = 8 << 20
  /// Where the page before ended, in the same order.
  public var cursor: Int64?
  /// The last number of what is wanted, in the numbers that ``cursor`` counts in.
  public var through: Int64?

  public init() {}

  /// Whether it says anything of presentations, beyond the time.
  var filtersPresentations: Bool {
    search != nil || filters.contains { !$0.values.isEmpty }
  }

  /// Throws a ``RouterError`` with the code `invalid` if the search cannot be understood.
  public func checkSearch() throws(RouterError) {
    if let search { _ = try AuditSearch(search) }
  }
}
