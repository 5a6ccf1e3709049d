//! Functions called by JavaScript.
//!
//! A call writes a request into the memory at `rtype_request(length)` and calls `rtype_call()`. The result is the response's length at
//! `rtype_response()`. A request ends before the next request begins, so each module instance has a single service.
#![allow(unsafe_code, reason = "exported names; no memory is accessed by pointer here")]

use crate::Service;
use std::cell::RefCell;

/// Memory that stays valid between two calls.
#[derive(Default)]
struct Host {
    service: Service,
    request: Vec<u8>,
    response: String,
}

thread_local! {
    // JavaScript has no other place for the memory.
    static HOST: RefCell<Host> = RefCell::default();
}

/// Returns the memory for a request with this length.
#[unsafe(no_mangle)]
pub extern "C" fn rtype_request(length: usize) -> *mut u8 {
    HOST.with_borrow_mut(|host| {
        host.request = vec![0; length];
        host.request.as_mut_ptr()
    })
}

/// Carries out the request, and returns the response length.
#[unsafe(no_mangle)]
pub extern "C" fn rtype_call() -> usize {
    HOST.with_borrow_mut(|host| {
        let request = std::mem::take(&mut host.request);
        host.response = host.service.call(&String::from_utf8_lossy(&request));
        host.response.len()
    })
}

/// Returns the memory of the response.
#[unsafe(no_mangle)]
pub extern "C" fn rtype_response() -> *const u8 {
    HOST.with_borrow(|host| host.response.as_ptr())
}
