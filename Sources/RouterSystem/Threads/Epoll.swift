/// Constants of epoll(7) that Swift does not import, because they are enumerations or casts in C.
enum Epoll {
  /// `EPOLLIN`, `EPOLLOUT`. A hang-up triggers both.
  static let (readable, writable): (UInt32, UInt32) = (1, 4)
  /// `EPOLLONESHOT`.
  static let once: UInt32 = 1 << 30
  /// `EPOLL_CTL_ADD`, `EPOLL_CTL_DEL`.
  static let (adding, removing): (CInt, CInt) = (1, 2)
  /// `EPOLL_CLOEXEC`.
  static let closedOnExec: CInt = 0o2000000
}
