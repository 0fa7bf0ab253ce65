import Logging

/// The open screens of one flow: what a new screen is stacked on, and what a pop removes. The broker orders them.
final class ScreenStack: Sendable {
  private struct State {
    var screens: [FlowScreen]
    /// Popped, and not known to be gone; the lowest of each pop, for what was above it is gone before.
    var leaving: [FlowScreen] = []
    var failure: RouterError?
  }

  let root: FlowScreen
  let surface: String
  let broker: any PresentationBroker
  private let options: PresentationOptions
  private let logger: Logger
  private let state: Mutex<State>

  init(
    _ sheet: TypedRequest<some Sendable>, options: PresentationOptions?, in environment: EnvironmentValues
  ) throws {
    let asking = PresentationAsking(in: environment)
    var (broker, request) = try asking.prepare("the flow of \(sheet.what)", options: options, request: sheet.request)
    request.flow = true
    self.broker = broker
    logger = asking.logger
    surface = request.surface
    var options = options ?? asking.options
    options.conflictPolicy = .enqueue
    (options.timeout, options.queueTimeout, options.shownTimeout, options.over) = (nil, nil, nil, nil)
    self.options = options
    root = FlowScreen(broker.submit(request))
    state = Mutex(State(screens: [root]))
  }

  var failure: RouterError? { state.withLock(\.failure) }

  var top: FlowScreen { state.withLock { $0.screens.last } ?? root }

  /// The id of the topmost screen that is on record; `nil` when the flow has ended.
  var topID: PresentationID? {
    state.withLock(\.screens).reversed().lazy.compactMap(\.id).first
  }

  /// Asks for a screen once the popped ones are gone. `nil` if the task is canceled, the flow has ended, or encoding failed.
  func push(_ sheet: TypedRequest<some Sendable>, replacingTop: Bool) async -> FlowScreen? {
    var request: PresentationRequest
    do {
      request = try sheet.request().applying(options)
      request.flow = true
    } catch {
      let reason = "cannot show \(sheet.what): it cannot be encoded"
      fail(error as? RouterError ?? RouterError(.invalid, reason, cause: error))
      return nil
    }
    while !Task.isCancelled {
      let (screens, leaving) = state.withLock { ($0.screens, $0.leaving) }
      if let leaving = leaving.first {
        _ = try? await leaving.handle.resolved()
        remove(leaving)
        continue
      }
      let replaced = replacingTop && screens.count > 1 ? screens.last : nil
      guard let parent = replaced == nil ? screens.last : screens[screens.count - 2] else { return nil }
      guard let id = try? await parent.accepted() else {
        // It was refused, which its own run tells.
        remove(parent)
        continue
      }
      request.over = id
      request.conflictPolicy = replaced == nil ? .enqueue : .cancelPrevious
      if let screen = submit(request, ontoTopOf: screens, replacing: replaced) { return screen }
    }
    return nil
  }

  /// Submits a request if the stack is still as it was looked at. A pop and a show have one order, so this is one step.
  private func submit(
    _ request: PresentationRequest, ontoTopOf expected: [FlowScreen], replacing replaced: FlowScreen?
  ) -> FlowScreen? {
    state.withLock { state in
      guard state.leaving.isEmpty, state.screens.last === expected.last, state.screens.count == expected.count else {
        return nil
      }
      if let replaced {
        if FlowScreen.encloses(replaced) { replaced.spare() }
        state.screens.removeLast()
        state.leaving.append(replaced)
      }
      let screen = FlowScreen(broker.submit(request))
      state.screens.append(screen)
      return screen
    }
  }

  func popTop() {
    pop(sparing: true) { $0.count > 1 ? $0.count - 1 : nil }
  }

  /// Removes a screen, unless it is kept, and what is above it. Closures that enclose the caller may be spared.
  func pop(_ screen: FlowScreen, isKept: Bool = false, sparing: Bool = true) {
    pop(sparing: sparing) { screens in screens.firstIndex { $0 === screen }.map { isKept ? $0 + 1 : $0 } }
  }

  /// Removes what is at an index and above it: the broker ends it all in one decision, the top first.
  private func pop(sparing: Bool, from index: ([FlowScreen]) -> Int?) {
    let popped = state.withLock { state -> [FlowScreen] in
      guard let index = index(state.screens), index < state.screens.count else { return [] }
      defer { state.screens.removeSubrange(index...) }
      state.leaving.append(state.screens[index])
      return Array(state.screens[index...])
    }
    if sparing {
      for screen in popped where FlowScreen.encloses(screen) { screen.spare() }
    }
    popped.first?.handle.cancel()
  }

  /// Whoever waits for a screen's run waits no longer.
  func abandon(_ screen: FlowScreen) {
    pop(screen, sparing: false)
    screen.abandon()
  }

  func has(_ screen: FlowScreen) -> Bool {
    state.withLock { state in state.screens.contains { $0 === screen } }
  }

  func remove(_ screen: FlowScreen) {
    state.withLock { state in
      state.screens.removeAll { $0 === screen }
      state.leaving.removeAll { $0 === screen }
    }
  }

  func finish() async throws {
    let screens = state.withLock(\.screens)
    let spared = screens.filter { FlowScreen.encloses($0) && $0.spare() }
    do {
      _ = try await root.handle.finish()
    } catch let error as RouterError where error.code == .resolved {
      // It has ended, and how is the flow's outcome.
    } catch {
      for screen in spared { screen.spare(false) }
      throw error
    }
  }

  /// Ends the flow with an error, for lack of somebody to throw it at.
  func fail(_ error: RouterError) {
    let isFirst = state.withLock { state in
      defer { state.failure = state.failure ?? error }
      return state.failure == nil
    }
    guard isFirst else { return }
    logger.report("cannot go on with the flow", error)
    pop(root, sparing: false)
  }
}
