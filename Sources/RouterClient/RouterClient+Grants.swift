package import Router

extension RouterClient {
  /// Returns the remembered answers that you gave or benefit from; with the role `audit`, all remembered answers.
  package func grants(ended: Bool = false, app: String? = nil) async throws -> [GrantRecord] {
    var (records, cursor) = ([GrantRecord](), String?.none)
    repeat {
      let path = QueryString.path(
        APIPath.grants, ["ended": ended ? "true" : nil, "app": app, "limit": "1000", "cursor": cursor])
      let page: Page<GrantRecord> = try await once { try await reply(to: HTTPCall(.GET, path)) }
      records += page.elements
      cursor = page.next
    } while cursor != nil
    return records
  }

  /// Revokes a remembered answer.
  package func revoke(_ id: GrantID) async throws -> GrantRecord {
    try await once { try await reply(to: HTTPCall(.DELETE, APIPath.grant(id))) }
  }
}
