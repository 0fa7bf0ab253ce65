import Router
import Testing

@testable import routerd

/// Joining shared surfaces, without a database.
@Suite(.timeLimit(.minutes(10)))
struct CoordinatorsTests {
  private struct Failure: Error {}

  private static func place() async throws -> Coordinators.Place {
    let log = try AuditLog.inMemory()
    return Coordinators.Place(try await PresentationCoordinator(log: log, app: "tests"), log, try AuditReader(log))
  }

  private func coordinators(
    limit: Int = 256, _ join: @escaping @Sendable (String) async throws -> Coordinators.Place
  ) async throws -> Coordinators {
    Coordinators(try await Self.place(), sharing: .init(host: "alpha", surfaces: ["*"], limit: limit, join: join))
  }

  @Test func `joins a surface once at a time, also when joining fails`() async throws {
    let joining = Mutex(0)
    let most = Mutex(0)
    let coordinators = try await coordinators { _ in
      let now = joining.withLock { count in
        count += 1
        return count
      }
      most.withLock { $0 = max($0, now) }
      // Others that wait for this one, and new ones, run meanwhile.
      for _ in 1...20 { await Task.yield() }
      joining.withLock { $0 -= 1 }
      throw Failure()
    }
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          for _ in 1...10 {
            await #expect(throws: Failure.self) { try await coordinators.joined("ops", for: .user(UInt32(number))) }
          }
        }
      }
    }
    #expect(most.withLock(\.self) == 1)
  }

  @Test func `leaves surfaces for other users`() async throws {
    let coordinators = try await coordinators(limit: 16) { _ in try await Self.place() }
    func join(_ names: String, for user: Coordinators.User) async throws -> Int {
      var count = 0
      for number in 1...100 {
        do { _ = try await coordinators.joined("\(names)\(number)", for: user) } catch let error as RouterError {
          #expect(error.code == .full)
          return count
        }
        count += 1
      }
      return count
    }
    #expect(try await join("a", for: .user(1)) == 9)
    #expect(try await join("b", for: .user(1)) == 0)
    #expect(try await join("c", for: .host("beta")) == 4)
    #expect(try await join("d", for: .user(2)) == 2)
    // What is in use stays so, and what is configured takes what is left.
    _ = try await coordinators.joined("a1", for: .user(3))
    #expect(try await join("e", for: .configuration) == 1)
    #expect(try await join("f", for: .user(4)) == 0)
  }
}
