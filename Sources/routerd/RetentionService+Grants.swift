import Router

extension RetentionService {
  /// Ends remembered answers without an end: those that were not used for the time of `grants.unusedDays`, and those of users of
  /// this host who lost the role grant. On a shared surface, only the leader does.
  func tidyGrants() async {
    await tidyGrants(of: coordinators.local)
    for (_, keeper) in coordinators.shared where await keeper.coordinator.isLeading { await tidyGrants(of: keeper) }
  }

  /// A failure is retried an hour later.
  private func tidyGrants(of keeper: Coordinators.Keeper) async {
    let always = await keeper.coordinator.grants.filter(\.isAlways)
    let records = try? await keeper.reader.grantRecords(inForce: always, includesEnded: false, at: keeper.now)
    guard let records, let counted = try? await keeper.reader.counted(records) else { return }
    for record in counted {
      guard let reason = await reason(toEnd: record, at: keeper.now) else { continue }
      keeper.coordinator.send { $0.end(record.grant.id, because: reason) }
    }
  }

  private func reason(toEnd record: GrantRecord, at now: Timestamp) async -> Event.Revoked.Reason? {
    let (grant, current) = (record.grant, configuration.current)
    // Earlier uses may have been pruned.
    let days = [current.grants.unusedDays, current.retentionDays].filter { $0 > 0 }.min()
    let last = max(grant.grantedAt, record.lastUse ?? grant.grantedAt)
    if current.grants.unusedDays > 0, let days, last.advanced(by: .seconds(days * 86_400)) < now { return .unused }
    let giver = grant.by.process
    guard giver.host.isEmpty || giver.host == coordinators.host,
      let account = try? await names.run({ try Peer(account: String(giver.uid)) })
    else { return nil }
    return current.access.roles(of: account).isDisjoint(with: [.grant, .admin]) ? .roleLost : nil
  }
}
