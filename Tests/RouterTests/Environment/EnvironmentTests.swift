import Router
import Testing

struct EnvironmentTests {
  private struct Reader {
    @Environment(\.greeting) private var greeting
    func read() -> String { greeting }
  }

  private final class Holder {
    @Environment(\.greeting) private var greeting
    func read() -> String { greeting }
  }

  private final class SendableHolder: Sendable {
    private let greeting = Environment(\.greeting)
    func read() -> String { greeting.wrappedValue }
  }

  private actor Keeper {
    @Environment(\.greeting) private var greeting
    private var sum = 0

    func read() -> String { greeting }

    /// Stays on the actor inside and outside the closure.
    func count() async -> Int {
      await withEnvironment(\.greeting, "counted") {
        sum += greeting.count
        await Task.detached {}.value
        sum += 1
      }
      return sum
    }
  }

  @Test func `returns the default of a value that is not set`() {
    #expect(Reader().read() == "Hello")
    #expect(EnvironmentValues().greeting == "Hello")
    #expect(EnvironmentValues.current.presentationBroker == nil)
    #expect(EnvironmentValues.current.presentationOptions == PresentationOptions())
  }

  @Test func `structs, classes and actors read the current environment`() async {
    let (reader, holder, shared, keeper) = (Reader(), Holder(), SendableHolder(), Keeper())
    await withEnvironment(\.greeting, "Hi") {
      #expect(reader.read() == "Hi")
      #expect(holder.read() == "Hi")
      #expect(shared.read() == "Hi")
      #expect(await keeper.read() == "Hi")
      #expect(await keeper.count() == 8)
    }
    #expect(reader.read() == "Hello")
  }

  @Test func `an inner value overrides an outer one within its scope`() {
    withEnvironment(\.greeting, "outer") {
      #expect(withEnvironment(\.greeting, "inner") { Reader().read() } == "inner")
      #expect(Reader().read() == "outer")
      withEnvironment(\.nickname, "Jo") {
        #expect(Reader().read() == "outer")
        withEnvironment(\.nickname, nil) { #expect(EnvironmentValues.current.nickname == nil) }
        #expect(EnvironmentValues.current.nickname == "Jo")
      }
    }
    #expect(EnvironmentValues.current.nickname == "default")
  }

  @Test func `sets several values at once`() async {
    withEnvironment {
      $0.greeting = "Hi"
      $0.nickname = "Jo"
    } operation: {
      #expect(EnvironmentValues.current.greeting + (EnvironmentValues.current.nickname ?? "") == "HiJo")
    }
    await withEnvironment {
      $0.greeting = "Hi"
      $0.presentationOptions.surface = "kitchen"
    } operation: {
      await Task.detached {}.value
      #expect(Reader().read() == "Hi")
      #expect(EnvironmentValues.current.presentationOptions.surface == "kitchen")
    }
  }

  @Test func `child tasks inherit and detached tasks start from the defaults`() async {
    await withEnvironment(\.greeting, "Hi") {
      async let child = Reader().read()
      #expect(await child == "Hi")
      await withTaskGroup(of: String.self) { group in
        group.addTask { Reader().read() }
        #expect(await group.next() == "Hi")
      }
      #expect(await Task { Reader().read() }.value == "Hi")
      #expect(await Task.detached { Reader().read() }.value == "Hello")
    }
  }

  @Test func `rethrows errors`() async {
    struct Wrong: Error {}
    #expect(throws: Wrong.self) { try withEnvironment(\.greeting, "Hi") { throw Wrong() } }
    #expect(throws: Wrong.self) {
      try withEnvironment { _ in
        throw Wrong()
      } operation: {
      }
    }
    await #expect(throws: Wrong.self) {
      try await withEnvironment(\.greeting, "Hi") {
        await Task.detached {}.value
        throw Wrong()
      }
    }
    #expect(Reader().read() == "Hello")
  }

  @Test @MainActor func `an operation stays on its actor`() async {
    var count = 0
    await withEnvironment(\.greeting, "Hi") {
      MainActor.assertIsolated()
      count += 1
      await Task.detached {}.value
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 2)
  }
}

private struct GreetingKey: EnvironmentKey {
  static let defaultValue = "Hello"
}

private struct NicknameKey: EnvironmentKey {
  static let defaultValue: String? = "default"
}

extension EnvironmentValues {
  fileprivate var greeting: String {
    get { self[GreetingKey.self] }
    set { self[GreetingKey.self] = newValue }
  }

  fileprivate var nickname: String? {
    get { self[NicknameKey.self] }
    set { self[NicknameKey.self] = newValue }
  }
}
