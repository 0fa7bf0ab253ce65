import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// The byte limit of pages, and cancellation of reads.
/// Promise P59.
@Suite(.timeLimit(.minutes(10)))
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

  /// Returns the sizes of all pages and their elements in order.
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

  @Test func `returns megabyte prompts in pages of eight`() async throws {
    try await write(250, bytes: 1_000_000)
    log.project(within: .seconds(60))
    let reader = try AuditReader(log)
    var query = AuditQuery()
    query.limit = 1000
    let first = try await reader.presentationPage(query)
    #expect(first.page.map(\.number) == Array((243...250).reversed()) && first.next == 243)
    query.cursor = first.next
    let second = try await reader.eventPage(query)
    #expect(second.page.map(\.seq) == Array((235...242).reversed()) && second.next == 235)
  }

  @Test(arguments: AuditQuery.Order.allCases)
  func `pages cut at the byte limit omit nothing`(order: AuditQuery.Order) async throws {
    try await write(50, bytes: 1000)
    let reader = try AuditReader(log)
    var query = AuditQuery()
    query.order = order
    query.maximumBytes = 10_000
    let numbers = order == .oldestFirst ? Array(1...50) : Array((1...50).reversed())
    let presentations = try await read(query) { try await reader.presentationPage($0) }
    #expect(presentations.all.map(\.number) == numbers && presentations.sizes.allSatisfy { (1...9).contains($0) })
    let events = try await read(query) { try await reader.eventPage($0) }
    #expect(events.all.map { Int($0.seq) } == numbers && events.sizes.allSatisfy { (1...9).contains($0) })
  }

  @Test func `a page has at least one row and at most the limit`() async throws {
    try await write(30, bytes: 1000)
    let reader = try AuditReader(log)
    var query = AuditQuery()
    query.maximumBytes = 1
    #expect(try await reader.presentationPage(query).page.count == 1)
    query.maximumBytes = .max
    query.limit = 20
    let page = try await reader.presentationPage(query)
    #expect(page.page.count == 20 && page.next != nil)
  }

  @Test func `canceling the task ends a read`() async throws {
    try await write(30, bytes: 1000)
    let reader = try AuditReader(log)
    let task = Task {
      while true { _ = try await reader.presentationPage(AuditQuery()) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
