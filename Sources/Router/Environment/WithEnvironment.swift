/// Runs an operation and its child tasks with one environment value set; detached tasks start from the defaults. Rethrows the
/// operation's error.
@discardableResult
public func withEnvironment<Value, Result>(
  _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value, operation: () throws -> Result
) rethrows -> Result {
  try withEnvironment({ $0[keyPath: keyPath] = value }, operation: operation)
}

/// Runs an asynchronous operation with one environment value set, on the caller's actor.
@discardableResult
public func withEnvironment<Value, Result>(
  _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value,
  isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async rethrows -> Result {
  try await withEnvironment({ $0[keyPath: keyPath] = value }, isolation: isolation, operation: operation)
}

/// Runs an operation with several environment values set: `withEnvironment { $0.greeting = "Hi" } operation: { … }`.
@discardableResult
public func withEnvironment<Result>(
  _ update: (inout EnvironmentValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = EnvironmentValues.current
  try update(&values)
  return try EnvironmentValues.$carried.withValue(values, operation: operation)
}

/// Runs an asynchronous operation with several environment values set, on the caller's actor.
@discardableResult
public func withEnvironment<Result>(
  _ update: (inout EnvironmentValues) throws -> Void, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> Result
) async rethrows -> Result {
  var values = EnvironmentValues.current
  try update(&values)
  return try await EnvironmentValues.$carried.withValue(values, operation: operation, isolation: isolation)
}
