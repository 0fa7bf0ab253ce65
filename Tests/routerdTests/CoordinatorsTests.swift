import Dispatch
import FoundationEssentials
import Router
import Testing

@testable import routerd

/// Joining shared surfaces, without a database.
/// Promise P29.
@Suite(.timeLimit(.minutes(10)))
struct CoordinatorsTests {
  private struct Failure: Error {}

  private static func keeper() async throws -> Coordinators.Keeper {
    let log = try AuditLog.inMemory()
    return Coordinators.Keeper(try await PresentationCoordinator(log: log, app: "tests"), log, try AuditReader(log))
  }

  private func coordinators(
    limit: Int = 256, _ join: @escaping @Sendable (String) async throws -> Coordinators.Keeper
  ) async throws -> Coordinators {
    Coordinators(try await Self.keeper(), sharing: .init(host: "alpha", surfaces: ["*"], limit: limit, join: join))
  }

  @Test func `joins a surface once at a time, also when joining fails`() async throws {
    let (started, start) = AsyncStream<Int>.makeStream()
    var starts = started.makeAsyncIterator()
    let gates = (0..<100).map { _ in AsyncStream<Void>.makeStream() }
    let count = Mutex(0)
    let coordinators = try await coordinators { _ in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      start.yield(number)
      for await _ in gates[number].stream {}
      throw Failure()
    }
    let again = Task.immediate {
      await #expect(throws: Failure.self) { try await coordinators.joined("ops", for: .user(100)) }
      return try await coordinators.joined("ops", for: .user(100))
    }
    let thread = try ThreadExecutor()
    let others = (0..<50).map { number in
      Task(executorPreference: thread) { try await coordinators.joined("ops", for: .user(UInt32(number))) }
    }
    #expect(await starts.next() == 0)
    // They take a few turns on their thread until they wait for the join.
    for _ in 0..<10 { await withCheckedContinuation { continuation in thread.perform { continuation.resume() } } }
    // They learn of its failure only when another has joined again.
    let isJoining = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      thread.perform {
        continuation.resume()
        isJoining.wait()
      }
    }
    gates[0].continuation.finish()
    #expect(await starts.next() == 1)
    isJoining.signal()
    for task in others { await #expect(throws: Failure.self) { try await task.value } }
    withExtendedLifetime(thread) {}
    // Each waits for the join when `immediate` returns.
    let late = (0..<50).map { number in
      Task.immediate { try await coordinators.joined("ops", for: .user(UInt32(number))) }
    }
    for gate in gates { gate.continuation.finish() }
    for task in late + [again] { await #expect(throws: Failure.self) { try await task.value } }
    #expect(count.withLock(\.self) == 2)
  }

  @Test func `finds a presentation of a surface that is being joined`() async throws {
    let keeper = try await Self.keeper()
    let requester = Presentation.Requester(app: "a", process: .current)
    let request = PresentationRequest(kind: .alert, title: "Deploy?", buttons: [.init(id: "ok", label: "OK")])
    let id = try await keeper.coordinator.ask(request, from: requester, attached: false).accepted().id
    let gate = AsyncStream<Void>.makeStream()
    let coordinators = try await coordinators { surface in
      for await _ in gate.stream {}
      guard surface == "ops" else { throw Failure() }
      return keeper
    }
    for surface in ["bad", "ops"] { _ = try coordinators.join(surface, for: .configuration) }
    let found = Task.immediate { try await coordinators.keeper(of: id) }
    let other = Task.immediate { try await coordinators.keeper(of: PresentationID(uuid: UUID())) }
    gate.continuation.finish()
    #expect(try await found.value.log === keeper.log)
    // It may be on a surface that cannot be joined.
    let error = await #expect(throws: RouterError.self) { try await other.value }
    #expect(error?.code == .logUnavailable)
    #expect(error?.message.contains("cannot tell whether the prompt") == true)
  }

  @Test func `leaves surfaces for other users`() async throws {
    let coordinators = try await coordinators(limit: 16) { _ in try await Self.keeper() }
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
