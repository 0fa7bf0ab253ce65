public import OrderedCollections

/// How something is shown: where, how urgently, for how long. ``PresentationRequest`` explains each option.
///
/// The actions take them from the environment:
///
/// ```swift
/// try await withEnvironment(\.presentationOptions.surface, "kitchen") { … }
/// try await showAlert(alert, options: PresentationOptions(priority: .high, timeout: .seconds(60)))
/// ```
public struct PresentationOptions: Sendable, Hashable {
  public var surface: String
  public var priority: PresentationPriority
  public var conflictPolicy: ConflictPolicy
  public var timeout: Duration?
  public var queueTimeout: Duration?
  public var shownTimeout: Duration?
  public var noPresenter: NoPresenterPolicy
  public var over: PresentationID?
  public var sensitive: Bool
  public var app: String?
  public var metadata: OrderedDictionary<String, String>

  public init(
    surface: String = "main", priority: PresentationPriority = .normal, conflictPolicy: ConflictPolicy = .enqueue,
    timeout: Duration? = nil, queueTimeout: Duration? = nil, shownTimeout: Duration? = nil,
    noPresenter: NoPresenterPolicy = .wait, over: PresentationID? = nil, sensitive: Bool = false, app: String? = nil,
    metadata: OrderedDictionary<String, String> = [:]
  ) {
    self.surface = surface
    self.priority = priority
    self.conflictPolicy = conflictPolicy
    self.timeout = timeout
    self.queueTimeout = queueTimeout
    self.shownTimeout = shownTimeout
    self.noPresenter = noPresenter
    self.over = over
    self.sensitive = sensitive
    self.app = app
    self.metadata = metadata
  }
}

extension PresentationRequest {
  /// The same request with the options in place of its own. What is sensitive by itself stays so.
  public func applying(_ options: PresentationOptions) -> PresentationRequest {
    var request = self
    request.surface = options.surface
    request.priority = options.priority
    request.conflictPolicy = options.conflictPolicy
    request.timeout = options.timeout
    request.queueTimeout = options.queueTimeout
    request.shownTimeout = options.shownTimeout
    request.noPresenter = options.noPresenter
    request.over = options.over
    request.sensitive = sensitive || options.sensitive
    request.app = options.app
    request.metadata = options.metadata
    return request
  }
}
