import CSQLite
import Testing

@testable import RouterLog

struct TornReadTests {
  private let torn = SQLiteError(code: SQLITE_READONLY | (1 << 8), message: "", sql: nil)

  @Test func `reads again while the header is inconsistent, at most 20 times`() throws {
    for failures in [0, 1, 19, 20] {
      var count = 0
      let result = Result {
        try AuditReaderConnection.retryingTornReads {
          count += 1
          if count <= failures { throw torn }
          return count
        }
      }
      #expect(count == min(20, failures + 1))
      if failures < 20 { #expect(try result.get() == count) } else { #expect(throws: torn) { try result.get() } }
    }
  }

  @Test(arguments: [SQLITE_READONLY, SQLITE_FULL, SQLITE_CORRUPT])
  func `does not repeat other failures`(code: Int32) {
    var count = 0
    #expect(throws: SQLiteError.self) {
      try AuditReaderConnection.retryingTornReads {
        count += 1
        throw SQLiteError(code: code, message: "", sql: nil)
      }
    }
    #expect(count == 1)
  }
}
