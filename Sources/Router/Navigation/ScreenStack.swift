import Logging

/// The open screens of one flow. Determines the parent of a new screen and the screens that a pop removes; the broker orders
/// them.
final class ScreenStack: Sendable {
  private struct State {
    var screens: [FlowScreen]
    /// Popped screens that may still be open. Only the lowest of each pop, because the screens above it end first.
    var leaving: [FlowScreen] = []
    /// The path to restore; empty after a screen differs from it.
    var restoring: FlowPath
    var isFinishedUnanswered = false
    var failure: RouterError?
  }

  let root: FlowScreen
  let surface: String
  let broker: any PresentationBroker
  private let options: PresentationOptions
  private let logger: Logger
  private let state: Mutex<State>

  init(
    _ sheet: PresentationRequest.Typed<some Sendable>, options: PresentationOptions.Update, restoring path: FlowPath,
    in environment: EnvironmentValues
  ) throws {
    let asking = PresentationAsking(in: environment)
    var (broker, request) = try asking.prepare("the flow of \(sheet.what)", options: options, request: sheet.request)
    request.flow = true
    self.broker = broker
    logger = asking.logger
    surface = request.surface
    var options = asking.options.updated(by: options)
    options.conflictPolicy = .enqueue
    (options.timeout, options.queueTimeout, options.shownTimeout, options.over) = (nil, nil, nil, nil)
    self.options = options
    var path = path
    root = FlowScreen(broker.submit(request), request, restored: path.answer(to: request, at: 0))
    state = Mutex(State(screens: [root], restoring: path))
  }

  var failure: RouterError? { state.withLock(\.failure) }

  /// Whether the flow was finished when its root had only a restored answer.
  var isFinishedUnanswered: Bool { state.withLock(\.isFinishedUnanswered) }

  var path: FlowPath { FlowPath(state.withLock(\.screens).map(\.path)) }

  var top: FlowScreen { state.withLock { $0.screens.last } ?? root }

  /// The id of the topmost recorded screen; `nil` when the flow has ended.
  var topID: PresentationID? {
    state.withLock(\.screens).reversed().lazy.compactMap(\.id).first
  }

  /// Requests a screen after the popped screens are gone. Returns `nil` if the task is canceled, the flow has ended, or
  /// encoding failed.
  func push(_ sheet: PresentationRequest.Typed<some Sendable>, replacingTop: Bool) async -> FlowScreen? {
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
        // The parent was refused, which its own run reports.
        remove(parent)
        continue
      }
      request.over = id
      request.conflictPolicy = replaced == nil ? .enqueue : .cancelPrevious
      if let screen = submit(request, ontoTopOf: screens, replacing: replaced) { return screen }
    }
    return nil
  }

  /// Submits a request if the stack has not changed. Holds the lock throughout, so that pops and shows have a single order.
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
      let restored = state.restoring.answer(to: request, at: state.screens.count)
      let screen = FlowScreen(broker.submit(request), request, restored: restored)
      state.screens.append(screen)
      return screen
    }
  }

  func popTop() {
    pop(sparing: true) { $0.count > 1 ? $0.count - 1 : nil }
  }

  /// Removes a screen, unless it is kept, and the screens above it. Can let closures that enclose the caller continue.
  func pop(_ screen: FlowScreen, isKept: Bool = false, sparing: Bool = true) {
    pop(sparing: sparing) { screens in screens.firstIndex { $0 === screen }.map { isKept ? $0 + 1 : $0 } }
  }

  /// Removes the screens from an index up. The broker ends them in one decision, top first.
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

  /// Removes a screen whose run is no longer awaited, and cancels its closure.
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
      // The root has already ended, with the flow's result.
    } catch let error as RouterError where error.code == .notAnswered && root.restored != nil {
      state.withLock { $0.isFinishedUnanswered = true }
      root.handle.cancel()
    } catch {
      for screen in spared { screen.spare(false) }
      throw error
    }
  }

  /// Ends the flow with an error that cannot be thrown to a caller.
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
