/// The columns of a presentation's row: the writer stores their values, and `log verify` compares them.
struct PresentationRow {
  struct Column: Sendable {
    let name: String
    /// Whether it holds JSON, which is compared after parsing.
    var isJSON = false
    /// Whether it can change after the request.
    var changes = false
    let value: @Sendable (Presentation) -> SQLiteValue
  }

  /// Every column of `presentations`, in the order of the schema.
  static let columns: [Column] = [
    Column(name: "number") { .int($0.number) },
    Column(name: "id") { .text($0.id.description) },
    Column(name: "surface") { .text($0.request.surface) },
    Column(name: "kind") { .text($0.request.kind.rawValue) },
    Column(name: "sheet") { .optional($0.request.sheet) },
    Column(name: "app") { .text($0.requester.app) },
    Column(name: "uid") { .int($0.requester.process.uid) },
    Column(name: "gid") { .int($0.requester.process.gid) },
    Column(name: "pid") { .int($0.requester.process.pid) },
    Column(name: "executable") { .optional($0.requester.process.executable) },
    Column(name: "executable_doubt") { .optional($0.requester.process.executableDoubt?.rawValue) },
    Column(name: "unit") { .optional($0.requester.process.unit) },
    Column(name: "host") { .text($0.requester.process.host) },
    Column(name: "directory") { .optional($0.requester.process.directory) },
    Column(name: "ancestry", isJSON: true) { .optional($0.requester.process.ancestryText) },
    Column(name: "title") { .optional($0.request.title) },
    Column(name: "message") { .optional($0.request.message) },
    Column(name: "parent") { .optional($0.request.over?.description) },
    Column(name: "requested_at") { .text($0.requestedAt.description) },
    Column(name: "idempotency_key") { .optional($0.key?.text) },
    Column(name: "request_hash") { $0.key.map { .blob($0.requestHash) } ?? .null },
    Column(name: "state", changes: true) { .text($0.state.rawValue) },
    Column(name: "attached", changes: true) { .bool($0.attached) },
    Column(name: "lane", changes: true) { .int($0.place.lane) },
    Column(name: "round", changes: true) { .int($0.place.round) },
    Column(name: "rank", changes: true) { .int($0.place.rank) },
    Column(name: "level", changes: true) { .int($0.level) },
    Column(name: "covered", changes: true) { .bool($0.covered) },
    Column(name: "generation", changes: true) { .int($0.generation) },
    Column(name: "presented_at", changes: true) { .optional($0.presentedAt?.description) },
    Column(name: "resolved_at", changes: true) { .optional($0.resolvedAt?.description) },
    Column(name: "outcome", changes: true) { .optional($0.outcome?.name.rawValue) },
    Column(name: "reason", changes: true) { .optional($0.outcome?.reason ?? $0.answerKind?.rawValue) },
    Column(name: "result", isJSON: true, changes: true) { .optional($0.recordedOutcome?.jsonText) },
    Column(name: "resolved_by", isJSON: true, changes: true) { .optional($0.resolvedBy?.jsonText) },
    Column(name: "callback", isJSON: true, changes: true) { .optional($0.callback?.jsonText) },
    Column(name: "callback_state", changes: true) { .optional($0.callback?.state.rawValue) },
    Column(name: "request", isJSON: true) { .json($0.asked.requestText) },
  ]
}
