import OrderedCollections
import Testing

@testable import Router

/// What events and rows say of presentations comes to the same sums exactly where it is the same.
@Suite(.timeLimit(.minutes(20)))
struct RowSumsTests {
  /// What a row says of a presentation, each as the text that is stored.
  fileprivate struct Row {
    var id, app, uid, request, outcome, time, result: String

    init(_ presentation: Presentation, _ outcome: PresentationOutcome) {
      id = presentation.id.description
      app = presentation.requester.app
      uid = String(presentation.requester.process.uid)
      request = presentation.request.json.description
      self.outcome = outcome.name.rawValue
      time = presentation.requestedAt.description
      result = outcome.json.description
    }

    func add(to sums: inout RowSums) {
      Self.withBytes(id, app, uid, request) { sums.addRequest(of: $0[0], app: $0[1], uid: $0[2], request: $0[3]) }
      Self.withBytes(id, outcome, time, result) { sums.addEnd(of: $0[0], as: $0[1], at: $0[2], result: $0[3]) }
    }

    static func withBytes(_ texts: String..., body: ([UnsafeRawBufferPointer]) -> Void) {
      let buffers = texts.map { text in
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        buffer.copyBytes(from: text.utf8)
        return buffer
      }
      body(buffers.map { UnsafeRawBufferPointer($0) })
      for buffer in buffers { buffer.deallocate() }
    }
  }

  /// A presentation's events, added as the walk adds them.
  private func add(_ presentation: Presentation, _ outcome: PresentationOutcome, isInProcess: Bool, to sums: inout RowSums) {
    let id = presentation.id.description
    var requested: JSONValue = [
      "requester": presentation.requester.json, "request": presentation.request.json, "attached": .bool(presentation.attached),
    ]
    if isInProcess, case .object(var members) = requested {
      members["onDismiss"] = "inProcess"
      requested = .object(members)
    }
    Row.withBytes(id, requested.description) { sums.addRequest(of: $0[0], detail: $0[1]) }
    let ended: JSONValue = ["outcome": outcome.json, "by": .null, "shownFor": .integer(1)]
    let time = presentation.requestedAt.description
    // A flow's answer, after which it goes on, is not its end.
    let answered: JSONValue = ["outcome": outcome.json, "by": .null, "stays": true, "generation": .integer(1)]
    for detail in [answered, ended] {
      Row.withBytes(id, outcome.name.rawValue, time, detail.description) {
        sums.addEnd(of: $0[0], as: $0[1], at: $0[2], detail: $0[3])
      }
    }
  }

  @Test(arguments: [UInt64.random(in: .min ... .max)])
  func `the sums of events and rows are the same, and no other change of a row leaves them so`(seed: UInt64) throws {
    var generator = ValueGenerator(seed: seed)
    let key = RowSums.Key()
    var (said, sums) = (RowSums(key: key), RowSums(key: key))
    var rows: [Row] = []
    for _ in 0..<200 {
      let (presentation, outcome) = (generator.presentation(), generator.outcome())
      add(presentation, outcome, isInProcess: generator.chance(50), to: &said)
      rows.append(Row(presentation, outcome))
    }
    // In another order, and in two parts.
    var second = RowSums(key: key)
    for row in rows.reversed() {
      if generator.chance(50) { row.add(to: &sums) } else { row.add(to: &second) }
    }
    sums.add(second)
    try #require(said.differences(from: sums).isEmpty, "seed \(seed)")

    let columns = [\Row.app, \.uid, \.request, \.outcome, \.time, \.result]
    for _ in 0..<50 {
      var changed = generator.pick(rows)
      let bucket = Row.bucket(of: changed.id)
      let column = generator.pick(columns)
      // Bytes may come, go, or pass over into the next column.
      switch generator.below(3) {
      case 0: changed[keyPath: column] += generator.pick(["a", "0", "}", "\"", "\0"])
      case 1 where !changed[keyPath: column].isEmpty: changed[keyPath: column].unicodeScalars.removeLast()
      default: changed[keyPath: column] = generator.pick(["é", "-1", "[]"])
      }
      var (one, other) = (RowSums(key: key), RowSums(key: key))
      let original = try #require(rows.first { $0.id == changed.id })
      original.add(to: &one)
      changed.add(to: &other)
      #expect(one.differences(from: other) == [bucket], "seed \(seed): \(column) became \(changed[keyPath: column])")
    }
  }

  @Test(arguments: [
    "", "{}", #"{"requester":{"app":"a"}}"#, #"{"requester":{"app":"a","uid":1},"request":"#,
    #"{"requester":{"app":"a","uid":1,"request":{},"attached":true}"#,
    #"{"requester":{"app":"a","uid":1},"request":{"title":"}"#,
  ])
  func `an event in another form than it is written in agrees with no row`(detail: String) {
    let key = RowSums.Key()
    var (said, rows) = (RowSums(key: key), RowSums(key: key))
    let id = PresentationIDGenerator().next(at: Timestamp(milliseconds: 0)).description
    Row.withBytes(id, detail) { said.addRequest(of: $0[0], detail: $0[1]) }
    Row.withBytes(id, "a", "1", "{}") { rows.addRequest(of: $0[0], app: $0[1], uid: $0[2], request: $0[3]) }
    #expect(said.differences(from: rows) == [Row.bucket(of: id)])
  }
}

extension RowSumsTests.Row {
  fileprivate static func bucket(of id: String) -> Int {
    Array(id.utf8).withUnsafeBytes { RowSums.bucket(of: $0) }
  }
}
