import Testing

@testable import Router
@testable import RouterSystem

/// Unit names from cgroup paths; the expected values are those of sd_pid_get_unit(3).
struct SystemdUnitTests {
  @Test(arguments: [
    ("/system.slice/deploy.service", "deploy.service"),
    ("/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service"),
    ("/user.slice/user-1000.slice/session-3.scope", "session-3.scope"),
    ("/user.slice/user-1000.slice/user@1000.service/app.slice/app-firefox.scope", "user@1000.service"),
    ("/machine.slice/machine-web.scope/payload/system.slice/inner.service", "machine-web.scope"),
    (#"/system.slice/dev-disk-by\x2duuid-1.swap"#, #"dev-disk-by\x2duuid-1.swap"#),
    ("/system.slice/deploy.service/worker", "deploy.service"),
    ("/init.scope", "init.scope"),
    ("/_cgroup.service", "cgroup.service"),
  ])
  func `the unit is the first path component that is not a slice`(path: String, unit: String) {
    #expect(SystemdUnit.name(ofCgroups: "0::\(path)\n") == unit)
  }

  @Test(arguments: [
    "/", "", "/system.slice", "/docker/4f2a", "/../other.service", "/system.slice/template@.service", "/@1.service",
    "/system.slice/.service", "/system.slice/deploy.service (deleted)", "/system.slice/what.ever", "/a b.service",
    "/" + String(repeating: "x", count: 250) + ".service",
  ])
  func `finds no unit in a path without one`(path: String) {
    #expect(SystemdUnit.name(ofCgroups: "0::\(path)\n") == nil)
  }

  @Test func `prefers systemd's own hierarchy`() {
    let cgroups = "12:cpu,cpuacct:/other.service\n1:name=systemd:/system.slice/deploy.service\n0::/init.scope\n"
    #expect(SystemdUnit.name(ofCgroups: cgroups) == "deploy.service")
    #expect(SystemdUnit.name(ofCgroups: "12:cpu:/other.service\n") == nil)
    #expect(SystemdUnit.name(ofCgroups: "nonsense") == nil)
  }
}
