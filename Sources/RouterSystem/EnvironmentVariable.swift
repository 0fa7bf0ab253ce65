import Glibc

/// Returns the value of an environment variable; `nil` if it is unset or empty.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
}
