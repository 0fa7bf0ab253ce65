import OrderedCollections

/// Asking at most once: a request with a key joins the presentation that the key asked for before.
extension PresentationCoordinator {
  /// How many keys of presentations that have just ended are kept in memory: those that ``ended(_:of:)`` may not have seen.
  private static let recentKeyCount = 1024

  /// What a key asked for before, if it has ended and the key is not free again.
  ///
  /// To be called before ``ask(_:from:isAdmin:attached:key:goneReason:onDismiss:progress:isDeliveredByHandle:)``, which
  /// knows only what is open.
  ///
  /// - Returns: The presentation; a sensitive answer is not in it.
  /// - Throws: ``RouterError`` with the code `impossible` if the key came with another request.
  public nonisolated func ended(_ key: IdempotencyKey, of requester: Requester) async throws -> Presentation? {
    guard let row = try await reader.ended(key.scope(of: requester)), let earlier = row.key,
      row.presentation.outcome?.freesKey == false
    else { return nil }
    if let error = key.mismatch(with: earlier) { throw error }
    return row.presentation
  }

  /// Lets a request join what its key asked for before.
  ///
  /// - Returns: Whether there is something to join, or a reason to refuse the request; it has been dealt with then.
  func join(_ ask: CoordinatorMessage.Ask) -> Bool {
    guard let key = ask.key else { return false }
    let scope = key.scope(of: ask.requester)
    if let id = keys[scope], let row = open[id]?.row, let earlier = row.key {
      if let error = key.mismatch(with: earlier) {
        ask.handle.end(.failure(error))
      } else {
        join(ask, id)
      }
      return true
    }
    guard let recent = recentKeys[scope] else { return false }
    if let error = key.mismatch(with: recent.key) {
      ask.handle.end(.failure(error))
    } else {
      tellEnd(of: recent.id, to: ask)
    }
    return true
  }

  /// One more asks for what is open.
  private func join(_ ask: CoordinatorMessage.Ask, _ id: PresentationID) {
    joined[ask.id] = id
    var asker = OpenPresentation.Asker(ask)
    if let presentation = open[id]?.recorded?.presentation {
      let presentation = snapshot(presentation)
      ask.handle.accept(presentation)
      asker.toldPosition = presentation.position
      if presentation.state == .presented, !presentation.covered {
        asker.progress?(.presented(id, generation: presentation.generation))
      } else {
        asker.progress?(.queued(id, position: presentation.position))
      }
    }
    if asker.progress != nil { followers += 1 }
    open[id]!.askers.append(asker)
    decideOfItself(.claim(id))
  }

  /// It has ended while the request was on its way.
  private func tellEnd(of id: PresentationID, to ask: CoordinatorMessage.Ask) {
    // Ends with one look into the record.
    Task { [reader] in
      do {
        guard let presentation = try await reader.presentation(id) else {
          throw RouterError(.notFound, "cannot find the presentation \(id)")
        }
        ask.handle.accept(presentation)
        ask.progress?(.resolved(presentation))
        ask.handle.end(.success(presentation))
      } catch {
        ask.handle.end(
          .failure(error as? RouterError ?? RouterError(.database, "cannot read the audit log", cause: error)))
      }
    }
  }

  /// A presentation with a key is open.
  func remember(_ key: IdempotencyKey?, of requester: Requester, for id: PresentationID) {
    guard let key else { return }
    let scope = key.scope(of: requester)
    keys[scope] = id
    recentKeys[scope] = nil
  }

  /// A presentation with a key is not open any more; `outcome` is `nil` for one that never came on record.
  func retire(_ presentation: OpenPresentation) {
    for asker in presentation.askers { joined[asker.id] = nil }
    guard let key = presentation.row.key else { return }
    let scope = key.scope(of: presentation.row.presentation.requester)
    let id = presentation.row.presentation.id
    guard keys[scope] == id else { return }
    keys[scope] = nil
    guard let outcome = presentation.recorded?.presentation.outcome, !outcome.freesKey else { return }
    recentKeys[scope] = RecentKey(id: id, key: key)
    if recentKeys.count > Self.recentKeyCount { recentKeys.removeFirst(recentKeys.count - Self.recentKeyCount / 2) }
  }

  /// The key of a presentation that ended a moment ago.
  struct RecentKey: Sendable {
    let id: PresentationID
    let key: IdempotencyKey
  }
}
