package import Glibc

/// A replacement for the standard library's `Mutex`, over a POSIX mutex. ThreadSanitizer does not support the standard
/// library's, and reports every contended `withLock` as a race.
package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package init(_ value: consuming sending Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    let code = pthread_mutex_init(lock, nil)
    precondition(code == 0, "cannot make a mutex: \(String(cString: strerror(code)))")
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  /// Acquires the lock and calls `body` with the value. Not recursive. Inlined, since a generic call costs more than the lock.
  @inlinable package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
