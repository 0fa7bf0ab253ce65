import FoundationEssentials
import OrderedCollections
import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Writes extreme numbers to every integer of a log, as an attacker with write access could. Nothing may trap: each number is
/// reported as damage or has no effect.
/// Promise P60.
@Suite(.timeLimit(.minutes(30)))
struct ExtremeNumberTests {
  /// `ROUTER_EXTREME_NUMBERS` tries more numbers, a longer log, and each number in each kind of event.
  static let isWhole = ProcessInfo.processInfo.environment["ROUTER_EXTREME_NUMBERS"] != nil
  static let numbers =
    ["-9223372036854775808", "9223372036854775807"] + (isWhole ? ["-1", "0", "9007199254740993"] : [])

  let directory: TemporaryDirectory
  let original: String

  init() async throws {
    directory = try TemporaryDirectory()
    original = directory.file("original.db")
    let log = try AuditLog(path: original)
    // The short story has the integers of the long one, except one in an answer's value, and the generation in three of the
    // five endings, which are read alike.
    try await log.append(try RecordedStory.entries(seed: Self.isWhole ? 7 : 59, steps: Self.isWhole ? 120 : 50))
    _ = try await log.prune(before: Timestamp("2026-11-21T08:00:00.000Z")!, at: Timestamp("2026-11-22T08:00:00.000Z")!)
    await log.close()
  }

  /// Makes a changed copy and runs every operation that reads numbers.
  private func read(_ name: String, _ change: (SQLiteConnection) throws -> Void) async throws {
    let path = directory.file("changed.db")
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    try FileManager.default.copyItem(atPath: original, toPath: path)
    do {
      try TamperedLog.withoutConstraints(path, change)
    } catch is SQLiteError {
      return
    }
    try await expectOnlyRouterErrors(name) {
      let reader = try AuditReader(path: path)
      for order in AuditQuery.Order.allCases {
        var query = AuditQuery()
        query.order = order
        query.since = Timestamp("2026-11-21T07:30:00.000Z")!
        try await expectOnlyRouterErrors(name) { _ = try await reader.presentationPage(query) }
        try await expectOnlyRouterErrors(name) { _ = try await reader.eventPage(query) }
        query.apps = ["agent"]
        try await expectOnlyRouterErrors(name) { _ = try await reader.eventPage(query) }
        try await expectOnlyRouterErrors(name) { _ = try await reader.resolved(query) }
        guard order == .newestFirst else { continue }
        // Statistics have no order.
        try await expectOnlyRouterErrors(name) { _ = try await reader.statistics(query) }
      }
      try await expectOnlyRouterErrors(name) { _ = try await reader.statistics() }
      try await expectOnlyRouterErrors(name) { _ = try await reader.verify() }
    }
    try await expectOnlyRouterErrors(name) {
      let log = try AuditLog(path: path)
      let coordinator = try await PresentationCoordinator(log: log, clock: ManualClock().clock, app: "tests")
      let presenter = TestPresenter(coordinator)
      for presentation in await coordinator.presentations() { _ = try await coordinator.presentation(presentation.id) }
      try await expectOnlyRouterErrors(name) { _ = try await coordinator.submit(.alert("one more")).accepted() }
      try await expectOnlyRouterErrors(name) { try await log.sweep() }
      await coordinator.shutDown()
      withExtendedLifetime(presenter) {}
    }
  }

  /// The numbers of a process, which are read in the same way in each kind of event.
  private static let ofProcess: Set = ["uid", "gid", "pid", "started", "loginUid"]

  /// Returns the name under which an integer of an event is tried once. A short run tries the numbers of a process once for
  /// each path, and a number that is not an integer once for each name, because it fails when it is read.
  private static func field(_ path: String, of type: String, _ number: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if isWhole { return type + path }
    if number == "1e30" { return name }
    return ofProcess.contains(name) ? path : type + path
  }

  private func expectOnlyRouterErrors(_ name: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as RouterError {
      #expect(error.message.hasPrefix("cannot "), "\(name)")
    }
  }

  @Test(arguments: numbers + ["2147483646"])
  func `survives an extreme number in each integer column`(number: String) async throws {
    let tables = ["events", "presentations", "counts", "hours"]
    let columns = try tables.flatMap { table in
      try SQLiteConnection(path: original, mode: .readOnly).rows("PRAGMA table_info(\(table))") {
        $0.text(2) == "INTEGER" ? "\(table).\($0.text(1) ?? "")" : nil
      }.compactMap(\.self)
    }
    #expect(columns.count > 14)
    for column in columns {
      let (table, name) = (column.split(separator: ".")[0], column.split(separator: ".")[1])
      // The row of an open presentation, and the last row of the other tables.
      let row =
        switch table {
        case "presentations": "number = (SELECT max(number) FROM presentations WHERE state <> 'resolved')"
        case "events": "seq = (SELECT max(seq) FROM events)"
        default: "1"
        }
      try await read("\(column) = \(number)") { connection in
        try connection.execute("UPDATE OR REPLACE \(table) SET \(name) = \(number) WHERE \(row)")
      }
    }
  }

  @Test(arguments: numbers + ["1e30"])
  func `survives an extreme number in each integer of an event, rehashed`(number: String) async throws {
    let events = try SQLiteConnection(path: original, mode: .readOnly).rows(
      "SELECT seq, type, detail FROM events ORDER BY seq"
    ) { ($0.integer(0), $0.text(1) ?? "", $0.text(2) ?? "") }
    var tried: Set<String> = []
    for (seq, type, detail) in events {
      let json = try JSONValue(parsing: detail, maximumDepth: JSONValue.maximumWrappedDepth)
      for (path, changed) in json.replacing(with: .number(JSONValue.Number(literal: number))) {
        // Once for each kind. Payloads are not used in calculations.
        guard !path.contains("/payload"), tried.insert(Self.field(path, of: type, number)).inserted else { continue }
        try await read("\(type)\(path) = \(number)") { connection in
          try connection.run("UPDATE events SET detail = ? WHERE seq = ?", .text(changed.description), .integer(seq))
          try TamperedLog.rehash(connection, from: seq)
        }
      }
    }
    #expect(tried.count > 20, "\(tried.sorted())")
  }

  @Test func `names a column that is out of range`() async throws {
    let path = directory.file("named.db")
    try FileManager.default.copyItem(atPath: original, toPath: path)
    try TamperedLog.withoutConstraints(path) { try $0.execute("UPDATE presentations SET generation = \(Int64.min)") }
    let error = await #expect(throws: RouterError.self) {
      _ = try await AuditReader(path: path).presentationPage(AuditQuery())
    }
    #expect(error?.code == .database)
    #expect(error?.description.contains("the column generation is out of range: -9223372036854775808") == true)
  }
}

extension JSONValue {
  /// The value with each of its integers replaced in turn, with its pointer. Array elements share a pointer.
  fileprivate func replacing(with new: JSONValue) -> [(path: String, value: JSONValue)] {
    switch self {
    case .number(let number): number.integer == nil ? [] : [("", new)]
    case .array(let elements):
      elements.indices.flatMap { index in
        elements[index].replacing(with: new).map { path, value in
          var changed = elements
          changed[index] = value
          return ("/*" + path, .array(changed))
        }
      }
    case .object(let members):
      members.keys.flatMap { key in
        (members[key] ?? .null).replacing(with: new).map { path, value in
          var changed = members
          changed[key] = value
          return ("/\(key)" + path, .object(changed))
        }
      }
    default: []
    }
  }
}
