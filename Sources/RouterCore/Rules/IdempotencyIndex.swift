import OrderedCollections

/// Maps idempotency keys to open presentations, and to recently ended ones that a log query may not find yet.
package struct IdempotencyIndex: Sendable {
  enum Match {
    case open(PresentationID)
    case ended(PresentationID)
  }

  private struct Use {
    let id: PresentationID
    let key: IdempotencyKey
  }

  /// The number of keys to keep for recently ended presentations.
  private static let recentCount = 1024

  private var open: [IdempotencyKey.Scope: Use] = [:]
  private var scopes: [PresentationID: IdempotencyKey.Scope] = [:]
  /// Oldest first.
  private var recent: OrderedDictionary<IdempotencyKey.Scope, Use> = [:]
  /// The keys of all ended presentations.
  private var used = UsedKeys()

  /// Finds the presentation of an idempotency key; `nil` if the key is new.
  func find(_ key: IdempotencyKey?, of requester: Presentation.Requester) throws(PresentationRejection) -> Match? {
    guard let key else { return nil }
    let scope = key.scope(of: requester)
    guard let use = open[scope] ?? recent[scope] else { return nil }
    guard use.key.requestHash == key.requestHash else { throw .keyReused }
    return open[scope] == nil ? .ended(use.id) : .open(use.id)
  }

  /// Whether the log may contain an ended presentation for a key that ``find(_:of:)`` does not find.
  package func mayBeInLog(_ scope: IdempotencyKey.Scope) -> Bool {
    open[scope] == nil && recent[scope] == nil && used.mayContain(scope)
  }

  mutating func add(_ used: UsedKeys) { self.used.formUnion(used) }

  mutating func opened(_ presentation: Presentation) {
    guard let key = presentation.key else { return }
    let scope = key.scope(of: presentation.requester)
    open[scope] = Use(id: presentation.id, key: key)
    scopes[presentation.id] = scope
    recent[scope] = nil
  }

  mutating func ended(_ id: PresentationID, _ outcome: PresentationOutcome) {
    guard let scope = scopes.removeValue(forKey: id), let use = open.removeValue(forKey: scope), !outcome.freesKey else {
      return
    }
    recent[scope] = use
    used.insert(scope)
    if recent.count > Self.recentCount { recent.removeFirst(recent.count - Self.recentCount / 2) }
  }
}
