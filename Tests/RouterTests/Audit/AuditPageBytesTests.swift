import Testing

@testable import Router

/// Pages end after so many bytes, and reading ends with the task that reads.
@Suite(.timeLimit(.minutes(20)))
struct AuditPageBytesTests {
  let directory: TemporaryDirectory
  private let log: AuditLog

  init() throws {
    directory = try TemporaryDirectory()
    log = try AuditLog(path: directory.file("log.db"), durability: .relaxed)
  }

  private func write(_ count: Int, bytes: Int) async throws {
    let samples = AuditSamples()
    let request = PresentationRequest(
      kind: .sheet, sheet: "large", payload: .string(String(repeating: "x", count: bytes)))
    for number in 0..<count {
      try await log.append([samples.requested(samples.presentation(number, request), rank: number)])
    }
  }

  /// The sizes of the pages up to the last, and everything in order.
  private func read<Element>(
    _ query: AuditQuery, _ page: (AuditQuery) async throws -> (page: [Element], next: Int64?)
  ) async throws -> (sizes: [Int], all: [Element]) {
    var (query, sizes, all) = (query, [Int](), [Element]())
    repeat {
      let (found, next) = try await page(query)
      sizes.append(found.count)
      all += found
      query.cursor = next
    } while query.cursor != nil
    return (sizes, all)
  }

  @Test func `250 prompts of a megabyte make pages of eight`() async throws {
    try await write(250, bytes: 1_000_000)
    let reader = try AuditReader(log)
    for order in AuditQuery.Order.allCases {
      var query = AuditQuery()
      query.limit = 1000
      query.order = order
      let sizes = try await read(query) { query in
        let (page, next) = try await reader.presentations(query)
        return (page.map(\.id), next)
      }
      #expect(sizes.sizes == Array(repeating: 8, count: 31) + [2] && Set(sizes.all).count == 250)
      let events = try await read(query) { query in
        let (page, next) = try await reader.events(query)
        return (page.map(\.seq), next)
      }
      #expect(events.sizes == sizes.sizes)
      #expect(events.all == (order == .oldestFirst ? Array(1...250) : Array((1...250).reversed())))
    }
  }

  @Test func `a page has a row, however large, and no more than the limit`() async throws {
    try await write(30, bytes: 1000)
    let reader = try AuditReader(log)
    var query = AuditQuery()
    query.maximumBytes = 1
    #expect(try await reader.presentations(query).page.count == 1)
    query.maximumBytes = .max
    query.limit = 20
    let page = try await reader.presentations(query)
    #expect(page.page.count == 20 && page.next != nil)
  }

  @Test func `reading ends with its task`() async throws {
    try await write(30, bytes: 1000)
    let reader = try AuditReader(log)
    let task = Task {
      while true { _ = try await reader.presentations(AuditQuery()) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
