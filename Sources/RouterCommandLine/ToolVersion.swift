/// The version of `routerctl` and its front ends.
package let toolVersion = "0.1.0"
